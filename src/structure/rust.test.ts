/** Rust: modules, paths, impl blocks and types decide which definition is meant. */
import { expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

test('R130 modules, renamed and re-exported names, globs and `super` in a module of the same file', async () => {
  const { usesOf } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': lines('pub mod money;', 'mod cart;', 'pub use money::round as round_money;'),
    'src/money.rs': lines(
      'pub fn round(n: f64) -> f64 { n }',
      'fn inner() -> f64 { round(1.0) }',
      'mod tests {',
      '    use super::*;',
      '    fn one() { round(2.0); }',
      '}',
    ),
    'src/cart.rs': lines(
      'use crate::round_money;',
      'use crate::money::{self, round as r};',
      'fn pay() { round_money(1.0); r(2.0); money::round(3.0); }',
      'fn round(other: &str) {}',
      'fn corner() { round("left"); }',
    ),
  });

  expect(usesOf('src/money.rs:1')).toEqual(['src/cart.rs:3', 'src/money.rs:2', 'src/money.rs:5']);
  expect(usesOf('src/cart.rs:4')).toEqual(['src/cart.rs:5']);
});

test('R130 methods by the type of what stands before the dot: self, let, literal, field, parameter, return, `?` and items', async () => {
  const { usesOf } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': lines('mod till;', 'mod use_it;'),
    'src/till.rs': lines(
      'pub struct Till { pub sum: u32 }',
      'pub struct Shop { pub till: Till, pub tills: Vec<Till> }',
      'pub struct Other;',
      'impl Other { pub fn add(&self) {} }',
    ),
    // What is implemented for a type may stand in another file.
    'src/use_it.rs': lines(
      'use crate::till::{Other, Shop, Till};',
      'impl Till {',
      '    pub fn new() -> Self { Till { sum: 0 } }',
      '    pub fn open() -> Result<Self, String> { Ok(Self::new()) }',
      '    pub fn add(&self) { self.add(); }',
      '}',
      'fn by_let() { let t = Till::new(); t.add(); }',
      'fn by_result() { let t = Till::open()?; t.add(); }',
      'fn by_field(shop: &Shop) { shop.till.add(); }',
      'fn by_item(shop: Shop) { for t in shop.tills.iter() { t.add(); } }',
      'fn by_pattern(t: Option<Till>) { if let Some(t) = t { t.add(); } }',
      'fn other(o: Other) { o.add(); }',
    ),
  });

  expect(usesOf('src/use_it.rs:5')).toEqual([5, 7, 8, 9, 10, 11].map((line) => `src/use_it.rs:${line}`));
  expect(usesOf('Other.add')).toEqual(['src/use_it.rs:12']);
  expect(usesOf('Till.sum')).toEqual(['src/use_it.rs:3']);
});

test('R130 traits by bound and default method, variants of enums, macros and names inside of macros', async () => {
  const { usesOf } = await resolveSources({
    'src/lib.rs': lines(
      'pub trait Shape { fn area(&self) -> u32; fn twice(&self) -> u32 { self.area() } }',
      'pub enum Kind { Dot(Side), Line { length: u32 } }',
      'pub struct Side;',
      'impl Side { fn turn(&self) {} }',
      'impl Shape for Side { fn area(&self) -> u32 { 1 } }',
      'macro_rules! shout { ($a:expr) => { $a } }',
      'fn measure<S: Shape>(s: S) { s.area(); }',
      'fn twice(side: Side) { side.twice(); }',
      'fn look(kind: Kind) { match kind { Kind::Dot(side) => side.turn(), Kind::Line { length } => shout!(length) } }',
      'fn told(side: Side) { println!("{}", side.area()); }',
    ),
  });

  expect(usesOf('Shape.area')).toEqual(['src/lib.rs:1', 'src/lib.rs:7']);
  expect(usesOf('src/lib.rs:5')).toEqual(['src/lib.rs:10']);
  expect(usesOf('Shape.twice')).toEqual(['src/lib.rs:8']);
  expect(usesOf('Side.turn')).toEqual(['src/lib.rs:9']);
  expect(usesOf('Kind.Dot')).toEqual(['src/lib.rs:9']);
  expect(usesOf('shout')).toEqual(['src/lib.rs:9']);
});

test('R132 files depend through `mod`, `use` and crates of the workspace', async () => {
  const { graph, usesOf } = await resolveSources({
    'Cargo.toml': '[workspace]\nmembers = ["store", "app"]\n',
    'store/Cargo.toml': '[package]\nname = "my-store"\n',
    'store/src/lib.rs': 'pub mod disk;\npub use disk::save;\n',
    'store/src/disk.rs': 'pub fn save() {}\n',
    'app/Cargo.toml': '[package]\nname = "app"\n',
    'app/src/main.rs': 'fn main() { my_store::save(); }\n',
  });

  expect(graph.uses.get('store/src/lib.rs')).toEqual(['store/src/disk.rs']);
  expect(usesOf('save')).toEqual(['app/src/main.rs:1']);
});
