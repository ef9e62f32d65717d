// Wallets of Telegram: every account has the same few cells of code, which go on in the settings of the network, so that one
// hash names all of them, whatever they will be able to do. Requests carry their operation behind the signature.

import { walletRequests } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import { wellKnownCodes } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { CALL, envelopeOf } from '../../base.ts'
import { digits } from '../../details.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, hexOfBytes } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const CHANGE_KEY_INSIDE = 0xfbba99c7
const CHANGE_KEY = 0xfbba99c8
const SEND_ONE_INSIDE = 0x63896e74
const SEND_MANY_INSIDE = 0x73896e74
/** What the wallet says to the outside once the key is another one. */
const KEY_CHANGED = 0x5d1cd02f

const isTelegramWallet = (account: string | null, facts: AccountsFacts): boolean =>
  facts.get(account ?? '')?.codeHash === wellKnownCodes.telegramWallet.id

const readOperation = fieldsOf(walletRequests.telegram, 'operation')

/** A request to a Telegram wallet; null for anything else. */
function operationOf(block: ActionBlock, facts: AccountsFacts): number | null {
  const envelope = CALL.of(block)
  if (envelope === undefined || !isTelegramWallet(envelope.destination, facts)) return null
  return orNull(() => readOperation(block.first.openBody()).operation)
}

/** Whether the request was relayed and paid for by another account. */
export function isBroughtRequest(block: ActionBlock, facts: AccountsFacts): boolean {
  const operation = operationOf(block, facts)
  return operation === SEND_ONE_INSIDE || operation === SEND_MANY_INSIDE || operation === CHANGE_KEY_INSIDE
}

interface KeyChange {
  readonly newKey: string
  /** Proof that the sender has the new key; hex. */
  readonly proof: string | null
  readonly encryptedOldKey: string | null
}

const readRequest = fieldsOf(walletRequests.telegramKeyChange, 'newKey', 'proofs')
const readProof = fieldsOf(walletRequests.telegramProof)
const readOldKey = fieldsOf(walletRequests.telegramOldKey)

type Bytes = (slice: Slice) => { readonly bytes: Uint8Array }

const nextOf = (proofs: Slice, read: Bytes): string | null =>
  proofs.remainingRefs === 0 ? null : orNull(() => hexOfBytes(read(openCell(proofs.loadRef())).bytes))

function readKeyChange(body: Slice): KeyChange {
  const { newKey, proofs } = readRequest(body)
  const proof = nextOf(proofs, readProof)
  return { newKey: hexOfBytes(newKey), proof, encryptedOldKey: nextOf(proofs, readOldKey) }
}

const CHANGE_WALLET_KEY = new Kind<
  KeyChange & { readonly source: string | null; readonly wallet: string | null; readonly value: bigint | null }
>({
  type: 'change_wallet_key',
  describe: ({ source, wallet, value, newKey, proof, encryptedOldKey }) => ({
    roles: { source, destination: wallet },
    details: {
      source,
      destination: wallet,
      value: digits(value),
      new_public_key: newKey,
      rotation_signature: proof,
      encrypted_old_private_key: encryptedOldKey,
    },
  }),
})

const isKeyChanged = (block: ActionBlock): boolean => block.first.isLeaf && envelopeOf(block)?.opcode === KEY_CHANGED

/**
 * Invariant: a wallet with the code of Telegram's takes a request for another key; one inside a message counts once
 * the wallet logs the change.
 */
export const changeWalletKey: Rule = {
  name: 'contracts/changeWalletKey',
  begins: (block) => CALL.is(block) && !block.first.isLeaf,
  match(request, facts) {
    const operation = operationOf(request, facts)
    const { source = null, destination: wallet = null, value = null } = envelopeOf(request) ?? {}
    if (operation !== (source === null ? CHANGE_KEY : CHANGE_KEY_INSIDE)) return null
    if (request.first.transaction.aborted) return null
    const change = readKeyChange(request.first.openBody())
    const picked = new Picked(request)
    // A wrong request inside a message is passed over in silence: anybody may send one, with the key the wallet has.
    if (picked.next(request, isKeyChanged) === null && source !== null) return null
    return {
      blocks: picked.blocks,
      content: CHANGE_WALLET_KEY.content({ source, wallet, value, ...change }),
      failed: false,
    }
  },
}
