"""Files that other tools open: DDS, KTX2, PNG, PFM and npy."""
