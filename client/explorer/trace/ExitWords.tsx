import { computeWords } from '../../../shared/exitCodes.ts'
import { interfacesOf } from '../accountNames.ts'

/** What an exit code of an account's code means. */
export function ExitWords({ code, account }: { readonly code: number; readonly account: string }) {
  const { text, hint } = computeWords(code, interfacesOf(account))
  return (
    <>
      {text}. {hint}
    </>
  )
}
