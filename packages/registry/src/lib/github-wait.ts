// How long a host asks to wait before a request is made again. Source: GitHub docs, "Rate limits for the REST API".

export interface Refusal {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** What the host says. */
  readonly reason: string;
}

/** What the docs say to wait after a secondary limit that says no more. */
const SECONDARY_SECONDS = 60;

/** Seconds to wait where a limit was passed; null where it is no limit, but a right that is missing. */
export function limitedFor(refusal: Refusal): number | null {
  if (!isRateLimited(refusal)) return null;
  const { headers } = refusal;
  const after = askedFor(refusal);
  if (after !== null) return after;
  const reset = headers.get('x-ratelimit-remaining') === '0' ? headers.get('x-ratelimit-reset') : null;
  if (reset === null || !/^[0-9]{1,12}$/.test(reset)) return SECONDARY_SECONDS;
  return Math.max(1, Math.ceil(Number(reset) - hostTime(headers) / 1_000));
}

/** Seconds that the host asks to wait, for whatever reason; null where it does not say. */
export function askedFor({ headers }: Refusal): number | null {
  return retryAfter(headers.get('retry-after'), hostTime(headers));
}

function hostTime(headers: Refusal['headers']): number {
  return Date.parse(headers.get('date') ?? '') || Date.now();
}

function isRateLimited({ status, headers, reason }: Refusal): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.get('retry-after') !== null ||
    headers.get('x-ratelimit-remaining') === '0' ||
    /secondary rate limit|abuse detection/i.test(reason)
  );
}

/** Seconds, or a date that is compared with the host's own clock. Source: RFC 9110, 10.2.3. */
function retryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000));
}
