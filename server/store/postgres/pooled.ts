import type pg from 'pg'

/** A pooler answers under a number of its own, and may run the statements of two clients in one session. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return 'processID' in client && client.processID !== rows[0]?.pid
}
