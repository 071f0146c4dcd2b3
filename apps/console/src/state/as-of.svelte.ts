// The past instant that all screens show; null for now.

class AsOf {
  at = $state<string | null>(null);
}

export const asOf = new AsOf();
