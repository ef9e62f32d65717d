/** What `v3.decode` answers for an opcode, as people read it; empty when it has no name. */
export const operationName = (name: string | undefined): string =>
  name === undefined || name === 'unknown' ? '' : name.replaceAll('_', ' ')

/** Below that anybody numbers operations as he likes: names that one service has for them would be wrong for most. */
export const LEAST_OF_ITS_OWN = 0x10000

/** Of what `v3.decode` answers, without the messages: names by opcode, empty for one that may mean anything. */
export const namesByOpcode = (
  opcodes: readonly string[],
  names: readonly string[],
): readonly (readonly [string, string])[] =>
  opcodes.map((opcode, at) => [opcode, Number(opcode) < LEAST_OF_ITS_OWN ? '' : operationName(names[at])])
