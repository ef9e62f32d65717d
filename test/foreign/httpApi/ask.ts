// The same question to both services.

import type { Question } from './questions.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export async function ask(url: string, { method, params, verb }: Question): Promise<Answer> {
  const text = Object.entries(params).map(([name, value]) => [name, String(value)])
  const answer =
    verb === 'GET'
      ? await fetch(`${url}/${method}?${new URLSearchParams(text)}`)
      : await fetch(`${url}/${method}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(params),
        })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}
