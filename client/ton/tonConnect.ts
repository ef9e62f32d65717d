// Sends through a wallet of the user, as TonConnect reaches it from a page.

import { Address, beginCell, type Sender, SendMode, storeStateInit } from '@ton/core'

export interface TonConnectMessage {
  address: string
  amount: string
  payload?: string
  stateInit?: string
  extraCurrency?: Record<number, string>
}

/** What is used of `TonConnectUI`, or of the connector in its SDK. */
export interface TonConnector {
  readonly account: { readonly address: string } | null
  sendTransaction(request: { validUntil: number; messages: TonConnectMessage[] }): Promise<unknown>
}

const VALID_SECONDS = 300

/** The modes a connected wallet sends with anyway. */
const USUAL_MODES: ReadonlySet<number> = new Set([
  SendMode.PAY_GAS_SEPARATELY,
  SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
])

/** A sender that sends through the connected wallet. Throws Error when none is connected, or for an unsupported mode. */
export function tonConnectSender(connector: TonConnector): Sender {
  if (connector?.account == null) throw new Error('no wallet is connected')
  return {
    address: Address.parse(connector.account.address),
    async send({ to, value, bounce, body, init, sendMode, extracurrency }) {
      if (sendMode != null && !USUAL_MODES.has(sendMode))
        throw new Error(`a connected wallet chooses its own mode of sending, and ${sendMode} is another one`)
      const stateInit = init && beginCell().store(storeStateInit(init)).endCell()
      const currencies = Object.entries(extracurrency ?? {}).map(([id, amount]) => [id, String(amount)])
      const message: TonConnectMessage = {
        address: to.toString({ bounceable: bounce ?? true }),
        amount: String(value),
        ...(body && { payload: body.toBoc().toString('base64') }),
        ...(stateInit && { stateInit: stateInit.toBoc().toString('base64') }),
        ...(currencies.length > 0 && { extraCurrency: Object.fromEntries(currencies) }),
      }
      const validUntil = Math.floor(Date.now() / 1000) + VALID_SECONDS
      await connector.sendTransaction({ validUntil, messages: [message] })
    },
  }
}
