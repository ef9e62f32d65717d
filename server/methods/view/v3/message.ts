// Messages as v3 writes them.

import type { z } from 'zod'
import { opcodeText } from '../../../../shared/abi/opcodeText.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Message } from '../../../../shared/v3/transaction.ts'
import { base64Of } from '../../../cell/index.ts'
import type { MessageRow } from '../../../store/index.ts'
import { digitsOrNull, rawOrNull } from './assets/fields.ts'
import { toCurrencies } from './currencies.ts'
import { decodedBodyOf } from './decoded.ts'

type OnWire = z.output<typeof Message>

/** Fees of messages from outside are left out where no other program could read them. */
export const MOST_IMPORT_FEE = 2n ** 63n

const importFeeOf = ({ importFee }: MessageRow) =>
  importFee === null || importFee >= MOST_IMPORT_FEE ? null : toDigits(importFee)

type Contents = Pick<OnWire, 'decoded_opcode' | 'message_content' | 'init_state'>

const NO_CONTENTS: Contents = { decoded_opcode: null, message_content: null, init_state: null }

function contentsOf(row: MessageRow): Contents {
  const decoded = decodedBodyOf(row)
  return {
    decoded_opcode: decoded.opcode,
    message_content: { hash: base64Of(row.bodyHash), body: base64Of(row.body), decoded: decoded.body },
    init_state:
      row.initHash === null || row.init === null
        ? null
        : { hash: base64Of(row.initHash), body: base64Of(row.init), decoded: null },
  }
}

/** Bytes of its body and its initial state. */
export const bytesOfMessage = ({ body, init }: MessageRow): number => body.length + (init?.length ?? 0)

export const toIndexedMessage = (row: MessageRow): OnWire => withContents(row, contentsOf(row))

/** The same without what it carries. */
export const toBriefMessage = (row: MessageRow): OnWire => withContents(row, NO_CONTENTS)

function withContents(row: MessageRow, contents: Contents): OnWire {
  return {
    hash: base64Of(row.hash),
    source: rawOrNull(row.source),
    destination: rawOrNull(row.destination),
    value: digitsOrNull(row.value),
    value_extra_currencies: row.valueExtra === null ? null : toCurrencies(row.valueExtra),
    fwd_fee: digitsOrNull(row.fwdFee),
    ihr_fee: digitsOrNull(row.ihrFee),
    extra_flags: digitsOrNull(row.extraFlags),
    created_lt: digitsOrNull(row.createdLt),
    created_at: row.createdAt === null ? null : toDigits(BigInt(row.createdAt)),
    opcode: row.opcode === null ? null : opcodeText(row.opcode),
    decoded_opcode: contents.decoded_opcode,
    ihr_disabled: row.ihrDisabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: importFeeOf(row),
    message_content: contents.message_content,
    init_state: contents.init_state,
    ...(row.hashNorm === null ? {} : { hash_norm: base64Of(row.hashNorm) }),
  }
}
