import { useRef } from 'preact/hooks'
import { parseAddress } from '../../../../shared/address.ts'
import { accountState } from '../../../../shared/explorer/explorerQueries.ts'
import { rawOf } from '../../../../shared/explorer/views.ts'
import { useAbi } from '../../decoders/useAbi.ts'
import { useKept } from '../../keptText.ts'
import { place } from '../../router.ts'
import { useReplies } from '../../useReplies.ts'
import { amountOf } from '../amountOf.ts'
import { addressOf, wrongAccount } from '../labFields.tsx'
import { type BodyDraft, bodyOf, type InitDraft } from './composeDraft.ts'
import { type Sender, testWallets } from './senders.ts'
import { useDeployed } from './useDeployed.ts'

/** The sender is not a test wallet: the message is delivered without a signature. */
export const ANYONE = ''

/** A message as it is in the fields. */
export interface MessageDraft {
  /** A test wallet by name, or `ANYONE`. */
  readonly by: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly bounce: boolean
  /** To where its init deploys to. */
  readonly deploys: boolean
  readonly init: InitDraft
  readonly body: BodyDraft
}

const FIRST: MessageDraft = {
  by: 'wallet1',
  from: 'faucet',
  to: '',
  value: '0.1',
  bounce: true,
  deploys: false,
  init: { code: '', kind: 'empty', data: '', typed: {} },
  body: { kind: 'empty', text: '', message: '', typed: {} },
}

/** Hash of the code of an account; empty while it is not known. */
function useCodeHash(address: string): string {
  const raw = rawOf(address)
  const { data } = useReplies(raw === null ? [] : [accountState(raw)], { live: true })
  return data?.[0]?.accounts.find((one) => one.address === raw)?.code_hash ?? ''
}

/** Null where the field says that it is none. */
const accountOf = (text: string) => (wrongAccount(text) === null ? parseAddress(addressOf(text)) : null)

function senderOf({ by, from }: MessageDraft): Sender | null {
  const wallet = testWallets().find(({ name }) => name === by)
  const source = accountOf(from)
  return wallet !== undefined ? { wallet } : source && { from: source }
}

/** The draft of a message, and what it makes; its message is null until all fields are right. */
export function useComposition() {
  const given = place.value.query.get('to')
  const [draft, setDraft] = useKept('message', FIRST, (kept) =>
    given === null ? kept : { ...kept, to: given, deploys: false },
  )
  const { to, value, bounce, deploys, init, body } = draft
  const deployed = useDeployed(init)
  const known = useCodeHash(deploys ? '' : addressOf(to))
  const codeHash = deploys ? deployed.codeHash : known
  const abi = useAbi(codeHash)
  const made = bodyOf(body, abi)
  const amount = amountOf(value)
  const target = deploys ? (deployed.place ?? null) : accountOf(to)
  const isInit = !deploys || deployed.init !== null
  const message =
    target !== null && isInit && 'nanotons' in amount && 'cell' in made
      ? { to: target, value: amount.nanotons, bounce, body: made.cell, init: deploys ? deployed.init : null }
      : null
  // A file can be read while a person types on.
  const newest = useRef(draft)
  const set = (more: Partial<MessageDraft>): void => {
    newest.current = { ...newest.current, ...more }
    setDraft(newest.current)
  }
  return { draft, set, deployed, codeHash, abi, made, amount, sender: senderOf(draft), message }
}

export type Composition = ReturnType<typeof useComposition>
