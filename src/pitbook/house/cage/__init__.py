"""The cage: slips, drawers, receipts and boxes."""
