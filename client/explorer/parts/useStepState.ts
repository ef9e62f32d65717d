import { useKept } from '../keptText.ts'
import { place } from '../router.ts'

/** A state that Back finds as it was left. `name` is its own on the page. */
export const useStepState = <T>(name: string, first: T) => useKept(`${place.peek().step} ${name}`, first)
