/** What a host answered that was asked for an account's token. */
export type ConsentAnswer =
  /** 404 or 410. */
  | 'not_found'
  /** Anything but the token, as one line. */
  | 'other_content'
  /** Another status: nobody may read it. */
  | 'refused'
  | 'redirected'
  /** More than 1 KiB. */
  | 'too_large'
  /** 429 or 503: it cannot tell now. */
  | 'busy'
  /** None, in five seconds. */
  | 'unreachable'
  /** The host of this service connects by names, so that the answer may have come from anywhere. */
  | 'unpinned'
