/** What the parts of an account's page are given. */
export interface PartProps {
  /** The account, raw. */
  readonly raw: string
  /** Parts are read again when it changes; of its own history it is the logical time of its newest transaction. */
  readonly stamp: string
}
