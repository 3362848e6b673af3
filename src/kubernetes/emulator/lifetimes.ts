/** Seconds that a mounted token outlives what was asked for. */
export const EXTENDED_LIFETIME = 365 * 24 * 60 * 60

/** The lifetime that the kubelet asks for when nobody set one, in seconds: the mark of a mounted token. */
export const MOUNTED_LIFETIME = 3607
