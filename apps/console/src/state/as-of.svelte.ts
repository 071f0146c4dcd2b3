// The instant of the past that all screens show; null: the present.

class AsOf {
  at = $state<string | null>(null);
}

export const asOf = new AsOf();
