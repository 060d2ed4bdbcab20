/** Where nodes of a small graph go: pushed apart, pulled together by their edges, the same every time. Pure. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import type { MapAnswer, MapNode } from '../../src/dashboard/api.ts';

export interface PlacedNode extends MapNode {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface PlacedEdge {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly count: number;
  /** Both ends are in one cycle. */
  readonly isCycle: boolean;
}

export interface Drawing {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

interface Moving extends SimulationNodeDatum {
  readonly node: MapNode;
  readonly radius: number;
  readonly isAlone: boolean;
}

const TICKS = 220;
const MARGIN = 44;

export function drawGraph(map: MapAnswer, width: number, height: number): Drawing {
  const most = Math.max(1, ...map.nodes.map(({ files }) => files));
  const linked = new Set(map.edges.flatMap(({ from, to }) => [from, to]));
  const moving: Moving[] = map.nodes.map((node) => ({
    node,
    isAlone: !linked.has(node.id),
    radius: node.kind === 'folder' ? 7 + 17 * Math.sqrt(node.files / most) : node.distance === 0 ? 7 : 5,
  }));
  const places = new Map(moving.map((each) => [each.node.id, each]));
  const links: SimulationLinkDatum<Moving>[] = map.edges.flatMap(({ from, to }) => {
    const [source, target] = [places.get(from), places.get(to)];
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  const isCrowded = map.nodes.length > 40;
  forceSimulation(moving)
    .force('push', forceManyBody<Moving>().strength(isCrowded ? -90 : -320))
    .force(
      'pull',
      forceLink<Moving, SimulationLinkDatum<Moving>>(links)
        .distance(isCrowded ? 50 : 100)
        .strength(0.25),
    )
    // What has no edge would drift off.
    .force(
      'x',
      forceX<Moving>(0).strength(({ isAlone }) => (isAlone ? 0.25 : 0.05 * (height / width))),
    )
    .force(
      'y',
      forceY<Moving>(0).strength(({ isAlone }) => (isAlone ? 0.25 : 0.08)),
    )
    .force(
      'apart',
      forceCollide<Moving>(({ radius }) => radius + (isCrowded ? 6 : 18)),
    )
    .stop()
    .tick(TICKS);
  const nodes = fit(moving, width, height);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges = map.edges.flatMap(({ from, to, count }) => {
    const [start, end] = [byId.get(from), byId.get(to)];
    if (start === undefined || end === undefined) return [];
    return [{ from: start, to: end, count, isCycle: start.cycle !== null && start.cycle === end.cycle }];
  });
  return { nodes, edges };
}

/** A few nodes are not torn apart to fill it. */
const MOST_STRETCH = 1.8;

/** Scales what was found into the middle of the picture. */
function fit(moving: readonly Moving[], width: number, height: number): readonly PlacedNode[] {
  const xs = moving.map(({ x = 0 }) => x);
  const ys = moving.map(({ y = 0 }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scaleX = Math.min(MOST_STRETCH, (width - 2 * MARGIN) / Math.max(1, right - left));
  const scaleY = Math.min(MOST_STRETCH, (height - 2 * MARGIN) / Math.max(1, bottom - top));
  return moving.map(({ node, radius, x = 0, y = 0 }) => ({
    ...node,
    radius,
    x: width / 2 + (x - (left + right) / 2) * scaleX,
    y: height / 2 + (y - (top + bottom) / 2) * scaleY,
  }));
}
