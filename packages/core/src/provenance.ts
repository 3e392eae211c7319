// What is said of content that the operator of a deployment has not vouched for.

/** A sentence behind a label: it begins in lower case. */
export const PROVENANCE = 'this content comes from the repository author and nobody here has vouched for it.';
