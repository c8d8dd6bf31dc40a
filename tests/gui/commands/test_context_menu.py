"""Menus of what lies under the pointer."""


def names(menu):
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


def test_a_wire_is_deleted_from_its_menu(loop, hand):
    wires = len(hand.scene.nets)
    menu = loop.menu_at(hand.view(hand.wire(("gain", "y"), ("plant", "u"))))
    assert names(menu) == ["Show in scope", "Delete"]
    next(a for a in menu.actions() if a.text() == "De&lete").trigger()
    assert ("gain", "y") not in hand.scene.nets
    assert len(hand.scene.nets) == wires - 1
    assert set(hand.scene.blocks) == {"ref", "err", "gain", "plant"}


def test_one_branch_of_a_wire_is_deleted_from_its_menu(loop, hand):
    hand.drop("math.abs", (600, 300))
    hand.drag(hand.wire(("plant", "y"), ("err", "u2")), hand.port("abs", "u", "in"))
    net = hand.scene.nets[("plant", "y")]
    assert len(net.net.targets) == 2
    at = hand.wire(("plant", "y"), ("abs", "u"))
    menu = loop.menu_at(hand.view(at))
    next(a for a in menu.actions() if a.text() == "De&lete").trigger()
    (left,) = hand.scene.nets[("plant", "y")].net.targets
    assert left in (("err", "u2"), ("abs", "u"))


def test_only_subsystems_can_be_expanded(loop, hand):
    assert "Expand subsystem" not in names(loop.menu_at(hand.view(hand.block("gain"))))
    assert not loop.commands["expand"].isEnabled()
    hand.click(hand.block("gain"))
    assert not loop.commands["expand"].isEnabled()
    loop.commands["group"].trigger()
    assert loop.commands["expand"].isEnabled()
    assert "Expand subsystem" in names(loop.menu_at(hand.view(hand.block("group"))))
    loop.commands["expand"].trigger()
    assert not loop.commands["expand"].isEnabled()
