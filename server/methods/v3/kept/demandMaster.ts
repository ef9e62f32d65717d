import { ApiError } from '../../../../shared/errors.ts'
import { masterRead, readAll, type Sql, type StatementOptions } from '../../../store/index.ts'

/** Throws ApiError `notFound` for a masterchain block that is not indexed. */
export async function demandMaster(store: Sql, seqno: number, options: StatementOptions): Promise<void> {
  const [known] = await readAll(store, masterRead(seqno), options)
  if (known === undefined) throw new ApiError('notFound', `masterchain block ${seqno} not found`)
}
