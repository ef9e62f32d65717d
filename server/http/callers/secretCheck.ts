import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether a text is the secret, in a time that does not show how much of it is right. Null for no secret, which is empty. */
export function createSecretCheck(secret: string): ((given: string) => boolean) | null {
  if (secret === '') return null
  const expected = digest(secret)
  return (given) => timingSafeEqual(digest(given), expected)
}
