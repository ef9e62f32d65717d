// What both drivers say of a transaction that did not come to its end.

import { StoreError } from './errors.ts'

/** A statement of it failed and `work` went on as if it had not: the database rolls back at `commit`, without an error. */
export const notCommitted = (): StoreError =>
  new StoreError('failed', 'The transaction was rolled back: one of its statements failed and was passed over')

export const isOver = (): StoreError => new StoreError('failed', 'A statement after the end of its transaction')
