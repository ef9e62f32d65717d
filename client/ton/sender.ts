import type { Contract, ContractProvider, Sender, SenderArguments } from '@ton/core'

/** A wallet that signs with a given key: every wallet class of @ton/ton is one. */
export interface SigningWallet extends Contract {
  sender(provider: ContractProvider, secretKey: Buffer): Sender
}

/**
 * Sends from a wallet, one message after the other: each takes the seqno that the one before has left. Wallets do not
 * wait for the chain, so on a network where blocks take their time a caller waits for the seqno between two of them.
 */
export const walletSender = (wallet: SigningWallet, provider: ContractProvider, secretKey: Buffer): Sender =>
  sendingInTurn(wallet, wallet.sender(provider, secretKey))

/** The same with a sender of the wallet; `begin` is called when it is the turn of a message. */
export function sendingInTurn({ address }: SigningWallet, sender: Sender) {
  let last: Promise<unknown> = Promise.resolve()
  return {
    address,
    send(args: SenderArguments, begin: () => void = () => {}): Promise<void> {
      const sent = last.then(() => {
        begin()
        return sender.send(args)
      })
      last = sent.catch(() => {})
      return sent
    },
  }
}
