/** Why a trace cannot be shown, in words for the user. */
export class ClassifyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ClassifyError'
  }
}
