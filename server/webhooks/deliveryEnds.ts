// Why the delivery of a webhook ends, other than by a signal.

/** Another process delivers this webhook, or it is gone. */
export class Superseded extends Error {}

/** Nothing is posted until its owner requests it. */
export class Suspended extends Error {}
