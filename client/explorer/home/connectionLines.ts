// How other programs are pointed at this service: a line to copy for each.

export interface ConnectionLine {
  readonly name: string
  readonly text: (url: string) => string
}

/** Addresses of wallets v5 have the network in them: without its type Blueprint would open another wallet. */
export const blueprintTo = (url: string): string =>
  `npx blueprint run --custom ${url}/api/v2/jsonRPC --custom-version v2 --custom-type testnet`

export const CONNECTIONS: readonly ConnectionLine[] = [
  { name: 'JSON-RPC', text: (url) => `${url}/jsonRPC` },
  { name: 'Blueprint', text: blueprintTo },
  { name: '@ton/ton', text: (url) => `new TonClient({ endpoint: '${url}/api/v2/jsonRPC' })` },
  { name: 'tonweb', text: (url) => `new TonWeb(new TonWeb.HttpProvider('${url}/api/v2/jsonRPC'))` },
  { name: 'walletkit', text: (url) => `networks: { [Network.testnet().chainId]: { apiClient: { url: '${url}' } } }` },
]

interface TestWallet {
  readonly kind: string
  readonly mnemonic: string
}

/** Versions as Blueprint spells them. */
const BLUEPRINT: Readonly<Record<string, string>> = {
  v2r1: 'v2r1',
  v2r2: 'v2r2',
  v3r1: 'v3r1',
  v3r2: 'v3r2',
  v4r2: 'v4r2',
  v5r1: 'v5r1',
}

/** A command that runs a script with this wallet; null for contracts Blueprint does not know. */
export function blueprintLine({ kind, mnemonic }: TestWallet, url: string): string | null {
  const version = BLUEPRINT[kind]
  if (version === undefined) return null
  return `WALLET_MNEMONIC="${mnemonic}" WALLET_VERSION=${version} ${blueprintTo(url)} --mnemonic`
}

/** What makes something happen on a chain where nothing did. */
export const firstSteps = (url: string): readonly { readonly what: string; readonly command: string }[] => [
  { what: 'send TON between test wallets', command: `npx tonrpc seed --only wallets --url ${url}` },
  { what: 'play the whole demo', command: `npx tonrpc seed --url ${url}` },
  { what: 'deploy a contract of a Blueprint project', command: blueprintTo(url) },
]
