// Headings of groups of methods that are not their names with a large first letter.

const TITLES: Readonly<Record<string, string>> = {
  dns: 'Domain names (DNS)',
  nfts: 'NFTs',
  utils: 'Search, names and decoding',
  legacy: 'Methods of v2 under v3 paths',
}

export const groupTitle = (group: string): string =>
  TITLES[group] ?? `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`
