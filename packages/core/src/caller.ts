/**
 * Who waits for an answer, and may stop waiting. A request and an `AbortController` are callers. What answers without
 * waiting does not look at the signal: where it is made on demand, making one costs as much as a short answer does.
 */
export interface Caller {
  readonly signal: AbortSignal;
}
