// How other programs are pointed at this service: a line to copy for each.

export interface ConnectionLine {
  readonly name: string
  readonly text: (url: string) => string
}

export const CONNECTIONS: readonly ConnectionLine[] = [
  { name: 'JSON-RPC', text: (url) => `${url}/jsonRPC` },
  {
    name: 'Blueprint',
    text: (url) => `npx blueprint run --custom ${url}/api/v2/jsonRPC --custom-version v2 --custom-type testnet`,
  },
  { name: '@ton/ton', text: (url) => `new TonClient({ endpoint: '${url}/api/v2/jsonRPC' })` },
  { name: 'tonweb', text: (url) => `new TonWeb(new TonWeb.HttpProvider('${url}/api/v2/jsonRPC'))` },
  { name: 'walletkit', text: (url) => `networks: { [Network.testnet().chainId]: { apiClient: { url: '${url}' } } }` },
]
