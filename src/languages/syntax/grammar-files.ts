/** The grammars we ship, copied at build time from the package that is pinned for it, and what each file must be. */

export interface GrammarFile {
  readonly sha256: string;
}

export const GRAMMAR_FILES = {
  typescript: { sha256: '78a2710a7d0f60a8c9ab92cc6e961f76cf80b3d69690140eeca8a29eba9185db' },
  tsx: { sha256: '36d947d9f19043c1108f3f8f5cfa82c25ffd681694e76a164d8b35022ded1d40' },
  javascript: { sha256: 'fc5362de9cacbfd6c6ee11e5bf144c7adbbf26ae3703eaaba916d4b0d78da76f' },
  python: { sha256: '2091d112a2989c54c2157a0a9a62c06d41a5ef3e40fd71f19cde7b4663bdd028' },
  go: { sha256: 'fd9af2da4da88b2537d4a33ce4739dd478cc5b141fdce4cdcf9a0e464b91b614' },
  rust: { sha256: 'dc7f9b4d182af6b8332b44cfb8d24c0b25892900b006af5ce7eafdef8c976d5a' },
  java: { sha256: 'e430a1a344388d6d3bc9f87144dec0d204fca37fafe5f4ab23c51060972a2ac5' },
  kotlin: { sha256: '82f658c6d6e07f0c2a421ab7e1308763fffa16627c7d10e9dd9f6f9a4f9ff25a' },
  scala: { sha256: 'b77bab5adc8f838178ba469db065fa4a1aa250c419530e85fd2e470c080515e1' },
  c: { sha256: '7b80a64003e8ef8cde197329ee0167e9270f67663f2e6c6ef7d67b5425998aac' },
  cpp: { sha256: '285a0d1da90e6cdea639ddf1b925ebca567d24b68d13c418ea92f5a6b7c099dd' },
  c_sharp: { sha256: '608208861b5cacee3805c486109e05cdfcf508988c303199cbba4628b8ed4151' },
  swift: { sha256: '3553bb4258b20fe3514c12a6e68d990036b9446e528283ec6ab79ede8854e791' },
  ruby: { sha256: 'db6b357418d4154402e48b497dfa9128d592cf9c559bff1ea1e3fcfe3a3b8d56' },
  php: { sha256: '01e0af450e9dae33a62a2d7a407240be883574a49edc031eb2bc4b1f22b69e55' },
  elixir: { sha256: '1059cf0fe8666f0a0ce3d496a2e5451d736d0401186be7a20fc96fda321feb6e' },
  haskell: { sha256: '1d749bd88cfc6d93f28d777451be12a3fffe93b75fc2b8dcdd6e8d8ea9a544c7' },
  lua: { sha256: 'aedb69dbe1d27c031dde44e40e4ebb3c709adc51097be9f4114c60d6bd0262a4' },
  zig: { sha256: 'c239344ce2612c87937445deb27af5083476fea7842b7bad6cf34c4db446c48a' },
  bash: { sha256: '5daf3f2ac1cea01a64cfd6878ef7d247310925a4c62238eb4b8c1feb5dce355a' },
  dart: { sha256: '2c35d80a22a0fa1a23388679b1ab14eb7298156e891d82893301a7cc4babfd5d' },
  sql: { sha256: 'b77530893b1dd6d1d4814eacf34d25bcbe4a12ec9a25a8c45b320d447265f42b' },
  json: { sha256: 'f60270905cfa2483e8444559620150c0a1a2b23684a9d4b8b79b4528887863bb' },
  yaml: { sha256: '81dd56ecfadd34b62181f996e52cff6d3c4c026d7fbff6a201323a9abe8b2580' },
  toml: { sha256: '2c3205cdd7a9e8d85547a2a9ad13fa760cc1012f7a6e65f898a5ae5d919c7175' },
  css: { sha256: '0ec436be0a1bcf4776a38741e0d0f600445a199b75d8e7a558480c07ae6b33fb' },
  hcl: { sha256: '524c1d9c5be1a4feea42afdccbb84a3bb7629e98470b188e9c022e0676b5cc24' },
} as const satisfies Readonly<Record<string, GrammarFile>>;

export type GrammarName = keyof typeof GRAMMAR_FILES;

/** Which grammar reads a language. The rules for each are loaded in the parser's children only. */
export const GRAMMAR_OF = {
  typescript: 'typescript',
  tsx: 'tsx',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
  c: 'c',
  cpp: 'cpp',
  ruby: 'ruby',
  bash: 'bash',
  lua: 'lua',
  kotlin: 'kotlin',
  scala: 'scala',
  csharp: 'c_sharp',
  swift: 'swift',
  php: 'php',
  elixir: 'elixir',
  haskell: 'haskell',
  zig: 'zig',
  dart: 'dart',
  sql: 'sql',
  json: 'json',
  yaml: 'yaml',
  toml: 'toml',
  hcl: 'hcl',
  css: 'css',
} as const satisfies Readonly<Record<string, GrammarName>>;

export type ParsableLanguage = keyof typeof GRAMMAR_OF;
