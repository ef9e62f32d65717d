import { ApiError } from '../../../shared/errors.ts'
import { masterRead, type QueryOptions, readAll, type Sql } from '../../store/index.ts'

/** Throws ApiError `notFound` for a masterchain block that is not indexed. */
export async function demandMaster(store: Sql, seqno: number, options: QueryOptions): Promise<void> {
  const [known] = await readAll(store, masterRead(seqno), options)
  if (known === undefined) throw new ApiError('notFound', `masterchain block ${seqno} not found`)
}
