import {
  type Address,
  type Contract,
  type ContractProvider,
  type ContractState,
  type OpenedContract,
  openContract,
  type Sender,
  type StateInit,
  type Transaction,
} from '@ton/core'
import { createProvider, type From, isDeployed, readTransactions, type Source, type TonMethods } from './provider.ts'
import { type SigningWallet, walletSender } from './sender.ts'

export interface History {
  /** Default 100. */
  readonly limit?: number
  /** Transaction to start at. Default: the newest. */
  readonly from?: From
}

/** The chain as contract wrappers see it. */
export interface Ton {
  /** The wrapper with its provider: `getX(provider, ...)` becomes `getX(...)`. */
  open<T extends Contract>(contract: T): OpenedContract<T>
  /** With `init`, the first message to a contract that is not deployed carries it. */
  provider(address: Address, init?: StateInit | null): ContractProvider
  /** Sends from a wallet with its secret key; takes the wallet itself, not what `open` returned for it. */
  sender(wallet: SigningWallet, secretKey: Buffer): Sender
  /** Balance, extra currencies, code and data, last transaction. */
  getState(address: Address): Promise<ContractState>
  getBalance(address: Address): Promise<bigint>
  isContractDeployed(address: Address): Promise<boolean>
  /** Transactions of an account, newest first. */
  getTransactions(address: Address, history?: History): Promise<Transaction[]>
  /** The same chain as of a masterchain block: all reads belong together, and nothing can be sent. */
  at(seqno: number): Ton
}

function tonOf(source: Source): Ton {
  const provider = (address: Address, init: StateInit | null = null) => createProvider(source, { address, init })
  const getState = (address: Address) => provider(address).getState()
  return {
    open: (contract) => openContract(contract, ({ address, init }) => provider(address, init)),
    provider,
    sender: (wallet, secretKey) => walletSender(wallet, provider(wallet.address, wallet.init ?? null), secretKey),
    getState,
    getBalance: async (address) => (await getState(address)).balance,
    isContractDeployed: (address) => isDeployed(source, address),
    async getTransactions(address, { limit, from } = {}) {
      // A block of the past has no newest transaction of its own: it is read from the account there.
      const start = from ?? (await getState(address)).last
      return start === null ? [] : readTransactions(source, address, { ...start, limit })
    },
    at: (seqno) => tonOf({ ...source, seqno }),
  }
}

/** What wrappers need, over a client of this service. */
export const createTon = (client: TonMethods): Ton => tonOf({ methods: client })
