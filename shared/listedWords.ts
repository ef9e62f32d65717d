import type { z } from 'zod'

/**
 * A parameter that callers in TypeScript, and readers of documents, write as one of these words, while its parser takes
 * other spellings too. The cast: zod takes the type of what is written from the parser.
 */
export const listedWords = <Output, const Word extends string>(
  parser: z.ZodType<Output>,
  words: readonly Word[],
  meta: { readonly id?: string; readonly description?: string } = {},
): z.ZodType<Output, Word> => parser.meta({ ...meta, enum: [...words] }) as z.ZodType<Output, Word>
