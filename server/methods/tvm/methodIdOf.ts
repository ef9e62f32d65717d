import { ApiError } from '../../../shared/errors.ts'
import { methodId } from '../../interfaces/index.ts'

const INT32 = 2 ** 31

/** The number of a get-method, given by name or number; a text of digits is a number. Throws ApiError `invalidParams`. */
export function methodIdOf(method: string | number): number {
  if (typeof method === 'number') return method
  if (!/^(-?\d+|0[xX][0-9a-fA-F]+)$/.test(method)) return methodId(method)
  const id = Number(method)
  if (id < -INT32 || id >= INT32)
    throw new ApiError('invalidParams', 'method id does not fit 32 bits', { param: 'method' })
  return id
}
