import { ApiError } from '../../../shared/errors.ts'

/** What a step of a request threw, as the error its caller gets. */
export const asApiError = (error: unknown, { requestId }: { readonly requestId: string }): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal', undefined, { requestId }, { cause: error })
