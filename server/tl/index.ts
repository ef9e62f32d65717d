// The room of TL, the language lite servers are spoken to in: requests, answers and the packets they travel in, as bytes
// and as typed values. Types, constructor ids, encoders and decoders are all made of the lines of `tlSchema.ts`.
// It promises that untrusted bytes give a value or a TlError, in time and memory bounded by their length.
// It knows nothing of connections, and nothing of cells: bags of cells are bytes here.

export { decodePacket, encodePacket } from './packets.ts'
export { TlError, type TlErrorCode } from './tlError.ts'
export {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRefusal,
  encodeRequest,
  sizeOfAnswer,
  type TlRequest,
  unwrapQuery,
  type Wait,
  wrapQuery,
} from './tlQueries.ts'
export type { Answers, Bare, Boxed, FunctionName, Packet, Requests } from './tlValues.ts'
