/** Arguments of Node before the file of a benchmark. */
export const NODE_OPTIONS = ['--import', 'tsx', '--import', new URL('./asShipped.ts', import.meta.url).href]
