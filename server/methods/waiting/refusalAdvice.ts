// What to do about a message the chain refused. Texts of the node name an exit code only; a wallet's is known by its code.

import type { ErrorData } from '../../../shared/errors.ts'
import { computeWords } from '../../../shared/exitCodes.ts'
import { type Chain, readAccount } from '../../node/index.ts'
import type { Call } from '../call.ts'
import { readSentMessage } from './sentMessage.ts'
import { type SentWallet, sentWalletIn } from './sentWallet.ts'

type Advice = Pick<ErrorData, 'advice'>

const EXIT_CODE = /exitcode=(-?\d+)/
const CLOCKS = /\n(The chain's clock is [^\n]+)$/
const NO_ACCOUNT = 'Failed to unpack account state'

const ADVICE_NO_ACCOUNT =
  'The account does not exist: check its address, or send TON to it first. That of a wallet v5r1 follows from the network id in walletId; the message was not sent.'

/** Both seqnos, where they differ. */
function detailOf({ order, next }: SentWallet): string {
  if (order === null || next === null || order.seqno === next) return ''
  return ` (the message has ${order.seqno}, the wallet expects ${next})`
}

export interface RefusedBy {
  readonly code: number
  readonly words: string
  readonly hint: string | undefined
}

/** The exit code in a text of the node, and what it means; null for a text without one. */
export function refusedBy(text: string, wallet: SentWallet | null): RefusedBy | null {
  const digits = EXIT_CODE.exec(text)?.[1]
  if (digits === undefined) return null
  const code = Number(digits)
  const known = computeWords(code, wallet === null ? [] : [wallet.kind.interfaceName])
  return { code, words: `${known.text}${wallet === null ? '' : detailOf(wallet)}`, hint: known.hint }
}

/** What a text of the embedded chain says of clocks that differ, as the end of a sentence; empty for others. */
export function clocksIn(text: string): string {
  const words = CLOCKS.exec(text)?.[1]
  return words === undefined ? '' : `. ${words}`
}

/** Nothing where the general advice says as much. */
export const noAccountAdvice = (text: string): Advice =>
  text.includes(NO_ACCOUNT) ? { advice: ADVICE_NO_ACCOUNT } : {}

/** The advice for a message whose refusal has this text. */
export async function refusalAdvice(chain: Chain, boc: Uint8Array, text: string, call: Call): Promise<Advice> {
  if (!EXIT_CODE.test(text)) return noAccountAdvice(text)
  try {
    const message = await readSentMessage(boc, call)
    const { account } = await readAccount(chain, message.account, undefined, call.signal)
    const wallet = sentWalletIn(message, account)
    const known = refusedBy(text, wallet)
    if (wallet === null || known === null) return {}
    const { code, words, hint } = known
    return {
      advice: [`Exit code ${code} of this wallet: ${words}.`, hint, 'The message was not sent.']
        .filter(Boolean)
        .join(' '),
    }
  } catch {
    // The refusal is what the caller has to hear of.
    return {}
  }
}
