import {
  type Address,
  type Contract,
  type ContractProvider,
  type ContractState,
  type OpenedContract,
  openContract,
  type Sender,
  type SenderArguments,
  type StateInit,
  type Transaction,
} from '@ton/core'
import { requireAddress, requireSeqno, requireWith } from './checkedValues.ts'
import { follow, type Sending } from './following.ts'
import { createProvider, type From, isDeployed, readTransactions, type Source, type TonMethods } from './provider.ts'
import { type SigningWallet, sendingInTurn } from './sender.ts'

export interface History {
  /** Default 100. */
  readonly limit?: number | undefined
  /** Transaction to start at. Default: the newest. */
  readonly from?: From | undefined
}

/** A wrapper with its provider; what it sends can be followed. */
export type FollowedContract<T> = {
  [K in keyof T]: K extends `send${string}`
    ? T[K] extends (provider: ContractProvider, ...args: infer A) => infer R
      ? (...args: A) => R extends Promise<infer V> ? Sending<V> : R
      : T[K]
    : OpenedContract<T>[K]
}

/** A sender whose messages can be followed. */
export interface FollowedSender extends Sender {
  send(args: SenderArguments): Sending<void>
}

/** The chain as contract wrappers see it. */
export interface Ton {
  /** The wrapper with its provider: `getX(provider, ...)` becomes `getX(...)`, and `sendX(...).finalized()` waits. */
  open<T extends Contract>(contract: T): FollowedContract<T>
  /** With `init`, the first message to a contract that is not deployed carries it. */
  provider(address: Address, init?: StateInit | null): ContractProvider
  /** Sends from a wallet with its secret key; takes the wallet itself, not what `open` returned for it. */
  sender(wallet: SigningWallet, secretKey: Buffer): FollowedSender
  /** Balance, extra currencies, code and data, last transaction. */
  getState(address: Address): Promise<ContractState>
  getBalance(address: Address): Promise<bigint>
  isContractDeployed(address: Address): Promise<boolean>
  /** Transactions of an account, newest first. */
  getTransactions(address: Address, history?: History): Promise<Transaction[]>
  /** The same chain as of a masterchain block: all reads belong together, and nothing can be sent. */
  at(seqno: number): Ton
}

const WALLET = 'a sender is made from a wallet, as WalletContractV4.create({ ... }) returns'

function openFollowed<T extends Contract>(source: Source, contract: T): FollowedContract<T> {
  requireAddress(contract?.address)
  const openWith = (sent?: (boc: string) => void) =>
    openContract(contract, (target) => createProvider(source, target, sent))
  const opened = new Proxy(openWith(), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string' || !name.startsWith('send')) return value
      return (...args: unknown[]) => {
        const bocs: string[] = []
        const send: unknown = Reflect.get(
          openWith((boc) => bocs.push(boc)),
          name,
        )
        const running: unknown = typeof send === 'function' ? send(...args) : undefined
        return running instanceof Promise ? follow(source.methods, running, bocs) : running
      }
    },
  })
  // The cast: the proxy adds to the promises of sends what the type says.
  return opened as FollowedContract<T>
}

function followedSender(source: Source, wallet: SigningWallet, secretKey: Buffer): FollowedSender {
  requireWith(wallet, 'sender', WALLET)
  if (!ArrayBuffer.isView(secretKey)) throw new TypeError('the secret key of a wallet is a Buffer of 64 bytes')
  const { address } = wallet
  /** Of the send whose turn it is: one may send nothing, and is not taken for the one before. */
  let own: string[] = []
  const provider = createProvider(source, { address, init: wallet.init ?? null }, (boc) => {
    own[0] = boc
  })
  const { send } = sendingInTurn(wallet, wallet.sender(provider, secretKey))
  return {
    address,
    send(args) {
      const bocs: string[] = []
      const running = send(args, () => {
        own = bocs
      })
      return follow(source.methods, running, bocs)
    },
  }
}

function tonOf(source: Source): Ton {
  const provider = (address: Address, init: StateInit | null = null) => createProvider(source, { address, init })
  const getState = async (address: Address) => await provider(address).getState()
  return {
    open: (contract) => openFollowed(source, contract),
    provider,
    sender: (wallet, secretKey) => followedSender(source, wallet, secretKey),
    getState,
    getBalance: async (address) => (await getState(address)).balance,
    isContractDeployed: async (address) => await isDeployed(source, address),
    async getTransactions(address, history) {
      const { limit, from } = history ?? {}
      // A block of the past has no newest transaction of its own: it is read from the account there.
      const start = from ?? (await getState(address)).last
      return start === null ? [] : readTransactions(source, address, { ...start, limit })
    },
    at(seqno) {
      requireSeqno(seqno)
      return tonOf({ ...source, seqno })
    },
  }
}

/** What wrappers need, over a client of this service. */
export function createTon(client: TonMethods): Ton {
  requireWith(client, 'runGetMethodStd', 'createTon takes a client, as createClient({ url }) returns')
  return tonOf({ methods: client })
}
