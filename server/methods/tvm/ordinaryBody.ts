import { ApiError } from '../../../shared/errors.ts'
import type { Cell } from '../../cell/index.ts'

/** The TVM opens the body of a message before the contract runs, and fails as a whole on an exotic cell. Throws ApiError for one. */
export function requireOrdinaryBody(body: Cell, kind: 'invalidParams' | 'notEmulated' = 'invalidParams'): void {
  if (body.isExotic) throw new ApiError(kind, 'no contract takes a message whose body is an exotic cell')
}
