// External requests to wallets: a signature, then which wallet, until when and the number, then what to send.

import { body, part } from '../bodyDefinition.ts'

export const walletRequests = {
  v3: part('_ signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 sends:Any'),
  v4: part('_ signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 operation:uint8 sends:Any'),
  /** The signature comes last. */
  v5: body('signed_external#7369676e wallet:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^Cell)'),
  /** One action of version 5; what comes before it is in the first reference. */
  v5Send: body('action_send_msg#0ec3c86d mode:uint8 before:^Cell message:^Cell'),
  /** Telegram's wallet. */
  telegram: part('_ signature:bits512 operation:uint32 subwallet:uint32 valid_until:uint32 seqno:uint32 sends:Any'),
  /** Another key for it; the references, either of which may be missing, hold a proof of it and the old key. */
  telegramKeyChange: part(
    '_ signature:bits512 operation:uint32 subwallet:uint32 valid_until:uint32 seqno:uint32 new_key:bits256 proofs:Any',
  ),
  telegramProof: part('_ bytes:bits512'),
  telegramOldKey: part('_ bytes:bits256'),
  /** A list of Telegram's wallet: chunks of messages, each with the next one in its first reference. */
  telegramMany: part('_ count:uint8 first:(Maybe ^Cell)'),
  telegramChunk: part('_ next:(Maybe ^Cell) sends:Any'),
  /** Repeated to the end of a list. */
  send: part('_ mode:uint8 message:^Cell'),
} as const
