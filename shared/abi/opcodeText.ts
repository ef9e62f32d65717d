/** An operation of a message body as it is shown, such as `0x0f8a7ea5`. */
export const opcodeText = (opcode: number): string => `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`
