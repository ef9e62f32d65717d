/** What the parts of an account's page are given. */
export interface PartProps {
  /** The account, raw. */
  readonly raw: string
  /** Logical time of its newest transaction: parts are read again when it changes. */
  readonly stamp: string
}
