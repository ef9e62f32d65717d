import type { WorkerTeam } from './workerTeam.ts'

/** Worker processes, which are started when the rest of the service is put together. Without them it is as if none needed anything. */
export class LateTeam implements Pick<WorkerTeam, 'handOver' | 'publish' | 'bar' | 'close'> {
  #team: WorkerTeam | null = null

  begin(team: WorkerTeam): void {
    this.#team = team
  }

  /** Null without workers. */
  get words(): string | null {
    return this.#team?.words ?? null
  }

  handOver(...[socket, seat]: Parameters<WorkerTeam['handOver']>): boolean {
    return this.#team?.handOver(socket, seat) ?? false
  }

  publish(...[what]: Parameters<WorkerTeam['publish']>): void {
    this.#team?.publish(what)
  }

  settled(): Promise<void> | null {
    return this.#team?.settled() ?? null
  }

  bar(...[barring]: Parameters<WorkerTeam['bar']>): void {
    this.#team?.bar(barring)
  }

  async counts(): Promise<Awaited<ReturnType<WorkerTeam['counts']>> | undefined> {
    return await this.#team?.counts()
  }

  async close(): Promise<void> {
    await this.#team?.close()
  }
}
