"""Design data of the rig's bogie that others need too: masses, lengths, springs of axle boxes."""

from railblocks.engine.declaration import Param


class BogieData:
    """Parameters of bogie and axle boxes, by default the Manchester wagon scaled by 5."""

    r_0 = Param("m", "radius of the wheels", default=0.092, gt=0)
    R_0 = Param("m", "radius of the rollers", default=0.092, gt=0)
    m_w = Param("kg", "mass of a wheelset", default=14.504, gt=0)
    J_wy = Param("kg*m^2", "inertia of a wheelset about its axis", default=0.03584, gt=0)
    m_b = Param("kg", "mass of the bogie", default=20.92, gt=0)
    J_by = Param("kg*m^2", "pitch inertia of the bogie", default=0.47232, gt=0)
    m_c = Param("kg", "mass of half the car body", default=128.0, gt=0)
    J_r = Param("kg*m^2", "inertia of a roller axle", default=0.05, gt=0)
    a = Param("m", "half of the wheelbase", default=0.256, gt=0)
    h_b = Param("m", "height of the bogie's centre of mass", default=0.12, gt=0)
    k_p = Param("N/m", "stiffness of an axle box", shape=(3,), default=[251128, 31072, 9760], ge=0)
    c_p = Param("N*s/m", "damping of an axle box", shape=(3,), default=[120, 16, 32], ge=0)
    g = Param("m/s^2", "gravity", default=9.81, ge=0)
    reaction = Param(
        "1", "part of the motors' torque that the bogie takes", default=1.0, ge=0, le=1
    )
