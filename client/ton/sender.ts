import type { Contract, ContractProvider, Sender } from '@ton/core'

/** A wallet that signs with a given key: every wallet class of @ton/ton is one. */
export interface SigningWallet extends Contract {
  sender(provider: ContractProvider, secretKey: Buffer): Sender
}

/**
 * Sends from a wallet, one message after the other: each takes the seqno that the one before has left. Wallets do not
 * wait for the chain, so on a network where blocks take their time a caller waits for the seqno between two of them.
 */
export function walletSender(wallet: SigningWallet, provider: ContractProvider, secretKey: Buffer): Sender {
  const sender = wallet.sender(provider, secretKey)
  let last: Promise<unknown> = Promise.resolve()
  return {
    address: wallet.address,
    send(args) {
      const sent = last.then(() => sender.send(args))
      last = sent.catch(() => {})
      return sent
    },
  }
}
