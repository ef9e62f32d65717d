import { crc16 } from '../../shared/address.ts'

const NAMED = 0x10000

/** The number under which compilers put a get-method into a contract's table. */
export const methodId = (name: string): number => crc16(new TextEncoder().encode(name)) | NAMED
