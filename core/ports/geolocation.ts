/** Geolocation of an address from a database. */
export interface Geolocation {
  /** English names, or empty. */
  readonly city: string
  readonly country: string
  readonly region: string
  /** Internet provider or network owner, or empty. */
  readonly isp: string
  /** `Europe/Tallinn`, or empty. */
  readonly timezone: string
}

/** Looks up the geolocation of an IPv4 or IPv6 address; undefined if unknown. Never throws. */
export type FindGeolocation = (address: string) => Geolocation | undefined
