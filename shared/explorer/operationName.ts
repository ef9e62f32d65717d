/** What `v3.decode` answers for an opcode, as people read it; empty when it has no name. */
export const operationName = (name: string | undefined): string =>
  name === undefined || name === 'unknown' ? '' : name.replaceAll('_', ' ')
