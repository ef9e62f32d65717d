import type { z } from 'zod'
import { ApiError } from './errors.ts'

/** A value of this schema. Throws ApiError `invalidParams` that names the field. */
export function parseFields<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.map(String).join('.') ?? ''
  const message = issue?.message ?? 'Invalid params'
  throw new ApiError('invalidParams', where === '' ? message : `${where}: ${message}`)
}
