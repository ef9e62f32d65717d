import { type ByteSpan, spanOf } from '../span.ts'
import { type Column, text } from '../tables/column.ts'

/** A value of bytes or text as it was received, which is only read. */
export const span: Column<ByteSpan> = { ...text, encode: () => null, decode: spanOf }
