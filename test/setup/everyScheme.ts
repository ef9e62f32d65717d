// All schemes that the decoder knows, with the types their fields name.

import * as protocols from '../../server/bodies/index.ts'
import { type BodyDefinition, type BodyField, type Definition, parseConstructor } from '../../server/bodies/index.ts'
import { isCommon } from '../../server/decode/index.ts'
import { publicLines } from '../../server/decode/schemes/lines/index.ts'

export interface NamedScheme {
  readonly name: string
  readonly operation: number
  readonly fields: readonly BodyField[]
}

const isBody = (value: unknown): value is BodyDefinition =>
  typeof value === 'object' && value !== null && 'opcode' in value && 'forms' in value

/** Those of standards: the decoder shows the ones with a name. */
const common = (): NamedScheme[] =>
  Object.values(protocols)
    .flatMap((protocol): unknown[] => (typeof protocol === 'object' ? Object.values(protocol) : []))
    .filter(isBody)
    .filter(({ name, opcode }) => name !== '_' && isCommon(opcode))
    .flatMap(({ name, opcode, forms }) => forms.map((fields) => ({ name, operation: opcode, fields })))

/** `types` are constructors by the type they are of. */
export function everyScheme(): { schemes: readonly NamedScheme[]; types: ReadonlyMap<string, readonly Definition[]> } {
  const schemes = common()
  const types = new Map<string, Definition[]>([['DNSRecord', Object.values(protocols.dnsRecordLayouts)]])
  for (const line of publicLines()) {
    const part = /^(.*) = (\w+)$/.exec(line)
    const { name, tag, fields } = parseConstructor(part?.[1] ?? line.replace(/ \?$/, ''))
    const type = part?.[2]
    if (type !== undefined) types.set(type, [...(types.get(type) ?? []), { name, tag, forms: [fields] }])
    else if (tag !== null && !line.endsWith(' ?')) schemes.push({ name, operation: tag.value, fields })
  }
  return { schemes, types }
}
