"""The roles of every route are written down here once more, so that a mistake is noticed.

Other tests check the server against its catalog; this one checks the catalog.
"""

from __future__ import annotations

import pitbook.house.web.app  # noqa: F401  It lists every route.
from pitbook.house.people.account_register import MEMBERS, ROLES
from pitbook.house.web.access import ROUTE_ROLES, STRANGER

ROUTES_BY_ROLES = {
    "supervisor": """
        add_person approve_undo change_limits change_person count_box
        disable_game disable_player drawer_money enable_game enable_player exclude
        follow_incident fund invite make_reset
        open_table readmit withdraw compose_test withdraw_test""",
    "auditor supervisor": """
        boxes close_day closes drop exceptions exclusions explain find_rounds floor
        guests_with_money incidents interruptions list_people round_paper see_class shut
        significant_events statement statement_page verify_book""",
    "brush cashier dealer organiser supervisor": "note_incident",
    "cashier supervisor": """
        buy_in cash_out close_drawer decline_undo open_drawer undo_receipt""",
    "auditor cashier supervisor": "drawers receipts wallet",
    "organiser supervisor": """
        close_night correct_night interrupt_night open_tournament_tables make_night night_float
        night_redeem night_sell night_table night_unclaimed night_undo open_night
        read_schedule set_up_tournament import_players keep_schedule drop_schedule""",
    "auditor organiser supervisor": """
        night_receipt night_receipt_page night_slips night_statement night_statement_page
        night_statement_text tournament_results""",
    "brush organiser supervisor": "arrive ticket tournament_command",
    "dealer organiser supervisor": "begin_dealt_round count_dealt_chips",
    "auditor brush organiser supervisor": """
        list_nights schedules see_night see_tournament tournament_paper""",
    " ".join(sorted(MEMBERS)): """
        answer_paper begin_factor begin_test change_password confirm_factor my_account
        remove_factor see_paper test_answers test_items""",
    " ".join(sorted(ROLES)): """
        advice autoplay care coach coach_trends command drill_answer drill_hint drill_progress
        export_rounds list_tables me my_coach my_rounds play_daily practice_spot proof round
        rounds screens see_table set_limits share_round socket table_log table_sheet table_tests
        take_rest watch weigh""",
}


def test_roles_of_every_route_are_written_down_here() -> None:
    """A route opened to a role must be added here too."""
    expected = {route: who for who, names in ROUTES_BY_ROLES.items() for route in names.split()}
    actual = {
        route: " ".join(sorted(roles))
        for route, roles in ROUTE_ROLES.items()
        if STRANGER not in roles
    }
    assert actual == expected
